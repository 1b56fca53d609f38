import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
const colours = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(([, name, light, dark]) => [
    name,
    { light, dark },
  ]),
)

/** WCAG 2 relative luminance of `#rrggbb`. */
const computeLuminance = (colour: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

const computeContrast = (one: string, other: string): number => {
  const [low = 0, high = 0] = [computeLuminance(one), computeLuminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const plain = ['surface', 'panel', 'sunken', 'raised']
const pairs: [text: string, surfaces: string[]][] = [
  ['text', [...plain, 'info-soft', 'good-soft', 'warn-soft', 'bad-soft']],
  ['muted', [...plain, 'info-soft', 'good-soft', 'warn-soft', 'bad-soft']],
  ['faint', ['surface', 'panel', 'sunken']],
  ['accent', [...plain, 'info-soft']],
  ['good', [...plain, 'good-soft']],
  ['warn', [...plain, 'warn-soft']],
  ['bad', [...plain, 'bad-soft']],
  ['on-accent', ['accent-strong', 'accent-hover']],
]

test.each(pairs.flatMap(([text, surfaces]) => surfaces.map((surface) => [text, surface] as const)))(
  '%s on %s has the contrast of WCAG AA in both themes',
  (text, surface) => {
    for (const theme of ['light', 'dark'] as const) {
      const [one, other] = [colours.get(text)?.[theme] ?? '', colours.get(surface)?.[theme] ?? '']
      expect(computeContrast(one, other), theme).toBeGreaterThanOrEqual(4.5)
    }
  },
)
