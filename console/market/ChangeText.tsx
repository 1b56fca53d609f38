import { formatChange } from '../ui/formatChange.ts'

/** A change in its colour; `–` without one. */
export const ChangeText = ({ change }: { change: number | null | undefined }) => {
  if (change === undefined || change === null) return <span class="number muted">–</span>
  const text = formatChange(change)
  const tone = { '−': 'bad', '+': 'good' }[text.charAt(0)]
  return <span class={`number ${tone ?? ''}`}>{text}</span>
}
