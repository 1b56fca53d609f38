import { HexText } from '../ui/HexText.tsx'
import type { Network } from './NetworksProvider.tsx'
import { useSolverNames } from './useSolverNames.ts'

type Props = { network: Network; address: string; isBrief?: boolean }

/** A solver's name and address. @param isBrief only one of them */
export const SolverText = ({ network, address, isBrief = false }: Props) => {
  const name = useSolverNames(network.name).get(address)
  const href = network.explorerUrl === null ? undefined : `${network.explorerUrl}/address/${address}`
  if (name !== undefined && isBrief) return <strong title={address}>{name}</strong>
  return (
    <span class="solver-text">
      {name !== undefined && <strong>{name}</strong>} <HexText value={address} label="solver address" href={href} />
    </span>
  )
}
