"""Who may see the console: active staff."""

from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser


def is_staff(user: AbstractBaseUser | AnonymousUser | None) -> bool:
    return bool(user is not None and user.is_active and getattr(user, "is_staff", False))


async def still_staff(user: AbstractBaseUser) -> bool:
    """The same, asked of the database anew."""
    return await get_user_model().objects.filter(pk=user.pk, is_active=True, is_staff=True).aexists()
