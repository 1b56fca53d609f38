import { client } from '../api/client.ts'
import { read } from '../api/read.ts'
import { useRequest } from '../api/useRequest.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { TokenAmount } from '../tokens/TokenAmount.tsx'
import type { Token } from '../tokens/token.ts'
import { DataTable } from '../ui/DataTable.tsx'
import { Failure } from '../ui/Failure.tsx'
import { HexText } from '../ui/HexText.tsx'

/** The largest holders of a token. */
export const TokenHolders = ({ network, token }: { network: Network; token: Token }) => {
  const { data, failure, reload } = useRequest(`holders ${network.name} ${token.address}`, (signal) =>
    read(
      client.GET('/{chainId}/tokens/{token}/topHolders', {
        params: { path: { chainId: network.name, token: token.address } },
        signal,
      }),
    ),
  )
  if (failure?.facts.status === 404)
    return <p class="muted">The holders of this token are unknown: no source on this deployment lists them.</p>
  if (failure) return <Failure failure={failure} retry={reload} />
  if (!data) return <p class="loading">Loading …</p>
  if (data.length === 0) return <p class="muted">This token has no holders.</p>
  return (
    <DataTable
      caption="Holders, largest first"
      rows={data.map((holder, place) => ({ ...holder, rank: place + 1 }))}
      keyOf={({ address }) => address}
      columns={[
        { name: 'Rank', isNumeric: false, render: ({ rank }) => rank },
        {
          name: 'Account',
          render: ({ address }) => (
            <HexText value={address} label="account" href={paths.account(network.name, address)} />
          ),
        },
        {
          name: 'Balance',
          isNumeric: true,
          render: ({ balance }) => <TokenAmount network={network} token={token.address} amount={balance} />,
        },
      ]}
    />
  )
}
