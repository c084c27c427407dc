from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStorage(CompressedManifestStaticFilesStorage):
    """Hashed names for every static file, and for the imports inside our ES modules."""

    support_js_module_import_aggregation = True
    manifest_strict = False  # a page still works before `collectstatic` has run in development
