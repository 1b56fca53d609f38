import type { ComponentProps } from 'preact'

/** A section that scrolls, also by keyboard. It needs a name. */
export const ScrollSection = (attributes: ComponentProps<'section'>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled content must be reachable by keyboard
  <section tabIndex={0} {...attributes} />
)
