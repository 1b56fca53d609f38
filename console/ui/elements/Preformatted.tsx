/** Text in its own lines, which scrolls, also by keyboard. */
export const Preformatted = ({ text }: { text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled content must be reachable by keyboard
  <pre tabIndex={0}>{text}</pre>
)
