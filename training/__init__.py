"""Makes the concierge's own model. Nothing in apps/ imports it: its requirements are its own."""
