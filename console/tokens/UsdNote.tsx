import type { Network } from '../networks/NetworksProvider.tsx'
import { Skeleton } from '../ui/elements/Skeleton.tsx'
import { formatUsd } from '../ui/formatUsd.ts'
import { useToken } from './useToken.ts'
import type { UsdPrices } from './useUsdPrices.ts'

type Props = { network: Network; token: string /** atoms */; amount: bigint; prices: UsdPrices | undefined }

/** ` · $0.50` after an amount, by the price of now; nothing without one. */
export const UsdNote = ({ network, token, amount, prices }: Props) => {
  const decimals = useToken(network, token)?.decimals
  const price = prices?.get(token)
  if (!prices)
    return (
      <>
        {' · '}
        <Skeleton width="2.75rem" />
      </>
    )
  return price === undefined || decimals === undefined ? null : <> · {formatUsd(amount, decimals, price)}</>
}
