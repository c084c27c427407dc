// Follows the end of the conversation while the user is there; otherwise offers a way back to it.

const NEAR_PX = 80;

export class Scroller {
  #area; #button; #following = true;

  constructor(area, button) {
    this.#area = area;
    this.#button = button;
    area.addEventListener("scroll", () => {
      this.#following = this.#near;
      this.#button.hidden = this.#following;
    }, { passive: true });
    button.addEventListener("click", () => this.follow());
    new ResizeObserver(() => this.changed()).observe(area);
  }

  get #near() {
    return this.#area.scrollHeight - this.#area.scrollTop - this.#area.clientHeight < NEAR_PX;
  }

  follow() {
    this.#following = true;
    this.changed();
  }

  changed() {
    if (this.#following) this.#area.scrollTop = this.#area.scrollHeight;
    this.#button.hidden = this.#following || this.#near;
  }
}
