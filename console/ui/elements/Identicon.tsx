import { useId } from 'preact/hooks'
import { computeIdenticonColours } from './computeIdenticonColours.ts'

type Props = {
  /** an address */
  of: string
  size: number
}

/** A generated picture of an address, the same everywhere. It helps to recognise one, and proves nothing. */
export const Identicon = ({ of, size }: Props) => {
  const id = useId()
  const { from, to, angle } = computeIdenticonColours(of)
  return (
    <svg aria-hidden="true" class="identicon" width={size} height={size} viewBox="0 0 32 32">
      <defs>
        <linearGradient id={id} gradientTransform={`rotate(${angle} 0.5 0.5)`}>
          <stop offset="0" stop-color={from} />
          <stop offset="1" stop-color={to} />
        </linearGradient>
      </defs>
      <circle cx="16" cy="16" r="16" fill={`url(#${id})`} />
    </svg>
  )
}
