import './bar.css'

type Props = { permille: number; tone?: 'info' | 'good' | 'plain'; isLarge?: boolean }

/** A decorative bar; the figure beside it has the same value. @param permille 0 to 1000 */
export const Bar = ({ permille, tone = 'info', isLarge = false }: Props) => (
  <span class={`bar ${tone}${isLarge ? ' large' : ''}`} aria-hidden="true">
    <span style={{ inlineSize: `${permille / 10}%` }} />
  </span>
)
