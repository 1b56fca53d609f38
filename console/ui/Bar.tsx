import './bar.css'

/** A length for the eye; the figure beside it says the same. @param permille 0 to 1000 */
export const Bar = ({ permille, tone = 'info' }: { permille: number; tone?: 'info' | 'good' | 'plain' }) => (
  <span class={`bar ${tone}`} aria-hidden="true">
    <span style={{ inlineSize: `${permille / 10}%` }} />
  </span>
)
