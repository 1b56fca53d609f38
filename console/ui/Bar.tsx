import './bar.css'

/** A decorative bar; the figure beside it has the same value. @param permille 0 to 1000 */
export const Bar = ({ permille, tone = 'info' }: { permille: number; tone?: 'info' | 'good' | 'plain' }) => (
  <span class={`bar ${tone}`} aria-hidden="true">
    <span style={{ inlineSize: `${permille / 10}%` }} />
  </span>
)
