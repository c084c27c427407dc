"""The load view V_t that both gates read. §3.4"""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class LoadView:
    """Reservations of one engine pool, and the canonical pressure on it.

    slots_held, slots_max          chains of fills; kv_tokens_held, kv_tokens_max  tokens
    pressure_frac                  ρ_t: canonical running + waiting over canonical capacity; None when unknown
    """

    slots_held: int
    slots_max: int
    kv_tokens_held: int
    kv_tokens_max: int
    pressure_frac: float | None = None

    @property
    def fill_frac(self) -> float:
        """o_fill; a pool without fill slots counts as full."""
        return self.slots_held / self.slots_max if self.slots_max else 1.0

    @property
    def kv_frac(self) -> float:
        """o_KV; a pool without a KV budget counts as full."""
        return self.kv_tokens_held / self.kv_tokens_max if self.kv_tokens_max else 1.0

    def project(self, slots: int, kv_tokens: int) -> "LoadView":
        """V' after one more admission (Algorithm 1)."""
        return replace(self, slots_held=self.slots_held + slots, kv_tokens_held=self.kv_tokens_held + kv_tokens)
