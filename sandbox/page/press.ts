/** Milliseconds in which a click follows the end of its press. */
const clickMs = 50;
/** An open menu may swallow the end of a press. */
const longestMs = 1_000;

export interface BetweenPresses {
  /** Runs the newest of these when nothing is pressed. */
  run(draw: () => void): void;
  stop(): void;
}

/** Drawing anew under a finger or a mouse button takes the pressed element away, and the tap with it. */
export function betweenPresses(): BetweenPresses {
  let isPressed = false;
  let waiting: (() => void) | undefined;
  let timer = 0;
  const release = () => {
    isPressed = false;
    waiting?.();
    waiting = undefined;
  };
  const endIn = (ms: number) => {
    clearTimeout(timer);
    timer = window.setTimeout(release, ms);
  };
  const begin = () => {
    isPressed = true;
    endIn(longestMs);
  };
  const end = () => endIn(clickMs);
  window.addEventListener('pointerdown', begin, true);
  for (const type of ['pointerup', 'pointercancel']) window.addEventListener(type, end, true);
  return {
    run(draw) {
      if (isPressed) waiting = draw;
      else draw();
    },
    stop() {
      clearTimeout(timer);
      window.removeEventListener('pointerdown', begin, true);
      for (const type of ['pointerup', 'pointercancel']) window.removeEventListener(type, end, true);
    },
  };
}
