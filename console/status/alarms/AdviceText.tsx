/** A sentence of the documentation with its backticks rendered as code. */
export const AdviceText = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
)
