import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { TokenAmount } from '../tokens/TokenAmount.tsx'
import { useToken } from '../tokens/useToken.ts'
import { DataTable } from '../ui/DataTable.tsx'
import { shorten } from '../ui/shorten.ts'
import type { TokenFlow } from './computeTokenFlow.ts'

/** Amounts of each token that traders paid and received; liquidity of the solver covers the difference. */
export const TokenFlowTable = ({ network, flows }: { network: Network; flows: readonly TokenFlow[] }) => {
  const toAmount = (token: string, amount: bigint) =>
    amount === 0n ? '–' : <TokenAmount network={network} token={token} amount={amount} />
  return (
    <DataTable
      caption="Token flow"
      rows={flows}
      keyOf={({ token }) => token}
      columns={[
        { name: 'Token', render: ({ token }) => <TokenLink network={network} token={token} /> },
        { name: 'Traders paid', isNumeric: true, render: ({ token, paid }) => toAmount(token, paid) },
        { name: 'Traders received', isNumeric: true, render: ({ token, received }) => toAmount(token, received) },
      ]}
    />
  )
}

const TokenLink = ({ network, token }: { network: Network; token: string }) => (
  <a href={paths.token(network.name, token)}>{useToken(network, token)?.symbol ?? shorten(token)}</a>
)
