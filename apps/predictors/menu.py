"""The offered menu: whoever made it put the likeliest first."""

from apps.predictors.interface import Box
from apps.serving.branch.candidates import Context, Guess
from apps.serving.names import Coordinate


class Menu:
    """`Predictor`. Says nothing where nothing is offered."""

    def predict(self, coordinate: Coordinate, context: Context, box: Box) -> None:
        box.say(Guess(option.choice, -place) for place, option in enumerate(context.offered))
