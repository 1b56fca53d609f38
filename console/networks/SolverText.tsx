import { Skeleton } from '../ui/elements/Skeleton.tsx'
import { HexText } from '../ui/HexText.tsx'
import type { Network } from './NetworksProvider.tsx'
import { paths } from './paths.ts'
import { useSolverNames } from './useSolverNames.ts'
import './solverText.css'

type Props = { network: Network; address: string; isBrief?: boolean }

/** A solver's name and address, which lead to its page. @param isBrief only one of them */
export const SolverText = ({ network, address, isBrief = false }: Props) => {
  const names = useSolverNames(network.name)
  const name = names?.get(address)
  const href = paths.solver(network.name, address)
  if (!names && isBrief) return <Skeleton width="3rem" />
  if (name !== undefined && isBrief)
    return (
      <a href={href} title={address}>
        {name}
      </a>
    )
  return (
    <span class="solver-text">
      {names ? name !== undefined && <strong>{name}</strong> : <Skeleton width="3rem" />}{' '}
      <HexText value={address} label="solver address" href={href} />
    </span>
  )
}
