import type { ComponentChildren } from 'preact'
import './tile.css'

type Props = { title: string /** the one number */; value: ComponentChildren; children?: ComponentChildren }

/** One number with its name and a line of context. */
export const Tile = ({ title, value, children }: Props) => (
  <div class="tile">
    <h2>{title}</h2>
    <strong>{value}</strong>
    {children && <div class="tile-note">{children}</div>}
  </div>
)
