/** A sentence of the documents: what stands between backticks there is code here. */
export const AdviceText = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
)
