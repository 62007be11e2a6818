/** The sliders of the demo. They work without React, as soon as they are seen. */

const MM_PER_INCH = 25.4;

/** The width of the mark on the tumbler, mm. */
export const MARK_MM = { min: 25, max: 53, first: 46 } as const;

/** Write the value of a slider in words, by the CSS variable that the slider sets. */
const words = {
  at: (value: number) => `${value} % picture, ${100 - value} % vector`,
  mm: (value: number) => `${value} mm · ${(value / MM_PER_INCH).toFixed(2)} in`,
} as const;

export type SliderVariable = keyof typeof words;

export const wordsFor = (variable: SliderVariable, value: number): string => words[variable](value);

/** Writes the value of a slider into the style of its figure, and in words wherever the figure shows it. */
export function follow(slider: HTMLInputElement): void {
  const variable = slider.dataset.moves as SliderVariable;
  const figure = slider.closest<HTMLElement>('[data-demo]');
  const text = wordsFor(variable, slider.valueAsNumber);
  figure?.style.setProperty(`--${variable}`, slider.value);
  slider.setAttribute('aria-valuetext', text);
  for (const output of figure?.querySelectorAll(`[data-says="${variable}"]`) ?? []) output.textContent = text;
}
