const [minute, hour, day] = [60, 3_600, 86_400]

/** Steps of whole numbers. */
export const countSteps: readonly number[] = Array.from({ length: 9 }, (_, power) => 10 ** power).flatMap((unit) => [
  ...[unit, 2 * unit, 5 * unit],
])

/** Steps of seconds. */
export const spanSteps: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 4, 6, 12].map((hours) => hours * hour),
  ...[1, 2, 5, 10, 20, 50, 100].map((days) => days * day),
]

/** Free space above the highest value, as a share of it. */
const headroom = 0.05
const maxSteps = 5

/**
 * Upper end of the value axis: a whole number of steps, a little above the highest value.
 * @param steps lengths that a step may have, ascending
 */
export const findTop = (max: number, steps: readonly number[]): number => {
  const wanted = max * (1 + headroom)
  const step = findStep(wanted, steps)
  return Math.max(1, Math.ceil(wanted / step)) * step
}

/** Labelled values of an axis up to `top`. */
export const buildSplits = (top: number, steps: readonly number[]): number[] => {
  const step = findStep(top, steps)
  return Array.from({ length: Math.round(top / step) + 1 }, (_, i) => i * step)
}

/** Smallest step of which at most `maxSteps` reach `top`. */
const findStep = (top: number, steps: readonly number[]): number => steps.find((step) => top <= maxSteps * step) ?? top
