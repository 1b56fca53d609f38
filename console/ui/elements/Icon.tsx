/** Line drawings on a grid of 20, by name. */
const drawings = {
  check: 'm4.5 10.5 3.5 3.5 7.5-8',
  cross: 'm5.5 5.5 9 9m0-9-9 9',
  chevron: 'm6 8 4 4 4-4',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11Zm4-1.5 3.5 3.5',
  settings:
    'M3.5 6h6.5m4.5 0h2M3.5 14h2m4.5 0h6.5M12.2 8.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Zm-4.4 8a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Z',
  switch: 'm4 7 3-3 3 3M7 4v11m3-2 3 3 3-3m-3 3V5',
  clock: 'M10 16.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM10 6.5V10l2.3 1.8',
  alert: 'M10 3.2 17.3 16H2.7L10 3.2Zm0 5v3.3m0 2.3v.1',
  minus: 'M5 10h10',
  half: 'M10 16.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm0-13v13m2-12.6v12.2m2-11v9.8',
  dot: 'M10 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  star: 'm10 3 2.1 4.4 4.9.6-3.6 3.4.9 4.8L10 13.8l-4.3 2.4.9-4.8L3 8l4.9-.6L10 3Z',
  trade: 'M3.5 7h11l-3-3m5 9h-11l3 3',
  pulse: 'M2.5 10.5h3.2L8 4.5l4 11 2.3-5h3.2',
  book: 'M4 4.5h5a1 1 0 0 1 1 1v11a1.5 1.5 0 0 0-1.5-1.5H4v-10.5Zm12 0h-5a1 1 0 0 0-1 1v11a1.5 1.5 0 0 1 1.5-1.5H16v-10.5Z',
  compass: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm2.8-9.8-1.6 4-4 1.6 1.6-4 4-1.6Z',
  external: 'M8 4.5H4.5v11h11V12M11 4.5h4.5V9m0-4.5L9.5 10.5',
  wallet: 'M3.5 6.5v8a1.5 1.5 0 0 0 1.5 1.5h11V7.5H5a1.5 1.5 0 0 1-1.5-1 1.5 1.5 0 0 1 1.5-2h9.5v3m-1 4.2v.1',
} as const

export type IconName = keyof typeof drawings

/** A decorative icon; the text beside it, or the label of its button, says the same. */
export const Icon = ({ name, size = 20, isFilled = false }: { name: IconName; size?: number; isFilled?: boolean }) => (
  <svg
    aria-hidden="true"
    class="icon"
    width={size}
    height={size}
    viewBox="0 0 20 20"
    fill={isFilled ? 'currentColor' : 'none'}
    stroke="currentColor"
    stroke-width="1.75"
    stroke-linecap="round"
    stroke-linejoin="round"
  >
    <path d={drawings[name]} />
  </svg>
)
