import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { TokenLogo } from '../tokens/logos/TokenLogo.tsx'
import { nativeSentinel } from '../tokens/nativeSentinel.ts'
import { useTokenList } from '../tokens/useTokenList.ts'
import { useUsdPrices } from '../tokens/useUsdPrices.ts'
import { DataTable } from '../ui/DataTable.tsx'
import { Failure } from '../ui/Failure.tsx'
import { formatUsdPrice } from '../ui/formatUsd.ts'
import { HexText } from '../ui/HexText.tsx'

/** Listed tokens of a network with their prices. */
export const TokenBoard = ({ network }: { network: Network }) => {
  const { data, failure, reload } = useTokenList(network.name)
  const tokens = data?.filter(({ address }) => address !== nativeSentinel)
  const prices = useUsdPrices(network, tokens?.map(({ address }) => address) ?? [])
  if (!tokens) return failure ? <Failure failure={failure} retry={reload} /> : <p class="loading">Loading …</p>
  if (tokens.length === 0) return <p class="muted">No token is listed on {network.label}.</p>
  return (
    <DataTable
      caption="Listed tokens"
      rows={tokens}
      keyOf={({ address }) => address}
      columns={[
        {
          name: 'Token',
          render: (token) => (
            <a class="token-name" href={paths.token(network.name, token.address)}>
              <TokenLogo network={network} token={token} size={28} />
              {token.symbol ?? 'Unnamed'} <span class="muted">{token.name}</span>
            </a>
          ),
        },
        {
          name: 'Price',
          isNumeric: true,
          render: ({ address }) => <span class="number">{formatUsdPrice(prices?.get(address))}</span>,
        },
        {
          name: 'Address',
          isNumeric: true,
          render: ({ address }) => <HexText value={address} label="token address" />,
        },
      ]}
    />
  )
}
