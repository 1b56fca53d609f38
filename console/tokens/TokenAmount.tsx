import type { Network } from '../networks/NetworksProvider.tsx'
import { formatAmount } from '../ui/formatAmount.ts'
import { shorten } from '../ui/shorten.ts'
import { useToken } from './useToken.ts'

type Props = {
  network: Network
  /** address, lower case */
  token: string
  /** atoms */
  amount: string | bigint
}

/** `1.5 WETH`; the exact number of atoms is its title. An amount of a token without decimals is shown in atoms. */
export const TokenAmount = ({ network, token: address, amount }: Props) => {
  const token = useToken(network, address)
  const atoms = BigInt(amount)
  const title = `${atoms} atoms of ${address}`
  // shows nothing until decimals are known, since replacing atoms a moment later would confuse
  if (!token) return <span title={title}>…</span>
  const isScaled = token.decimals !== undefined
  const name = token.symbol ?? shorten(address)
  return (
    <span class="amount" title={title}>
      <span class="number">{formatAmount(atoms, token.decimals ?? 0, isScaled ? 6 : Number.POSITIVE_INFINITY)}</span>{' '}
      <span class="unit">{isScaled ? name : `atoms of ${name}`}</span>
    </span>
  )
}
