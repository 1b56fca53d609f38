import type { Network } from '../networks/NetworksProvider.tsx'
import { nativeSentinel } from './nativeSentinel.ts'
import { TokenAmount } from './TokenAmount.tsx'

/** An amount of the network's native token, wei; scores of solutions have this unit. */
export const NativeAmount = ({ network, amount }: { network: Network; amount: string | bigint }) => (
  <TokenAmount network={network} token={nativeSentinel} amount={amount} />
)
