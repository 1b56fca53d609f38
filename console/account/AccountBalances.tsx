import { encodeApproval } from '../actions/approval.ts'
import { useBalances } from '../actions/useBalances.ts'
import { useTransaction } from '../actions/useTransaction.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { nativeSentinel } from '../tokens/nativeSentinel.ts'
import { TokenAmount } from '../tokens/TokenAmount.tsx'
import { toNative } from '../tokens/toNative.ts'
import { useListedTokens } from '../tokens/useListedTokens.ts'
import { useUsdPrices } from '../tokens/useUsdPrices.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { dollars } from '../ui/numbers.ts'
import { shorten } from '../ui/shorten.ts'
import { useWallet } from '../wallet/WalletProvider.tsx'
import { isUnlimited, listPositions, type Position } from './positions.ts'

/** Tokens whose balances are read; the API accepts 200. */
const maxTokens = 150

/** Listed tokens of an account with their value, and what the vault relayer may take of each. */
export const AccountBalances = ({ network, account }: { network: Network; account: string }) => {
  const tokens = [toNative(network), ...useListedTokens(network.name)].slice(0, maxTokens)
  const addresses = tokens.map(({ address }) => address)
  const { balances, isReading } = useBalances(network.chainId, account, addresses)
  const { connection } = useWallet()
  const held = balances ? listPositions(tokens, balances, undefined).map(({ token }) => token.address) : []
  const prices = useUsdPrices(network, held.toSorted())
  // by value from the first moment on, so that no row moves
  const positions = balances && prices ? listPositions(tokens, balances, prices) : []
  const total = positions.reduce((sum, { value = 0 }) => sum + value, 0)
  const isOwner = connection?.address === account && connection.chainId === network.chainId
  const columns: Column<Position>[] = [
    {
      name: 'Token',
      render: ({ token: { address, symbol } }) =>
        address === nativeSentinel ? (
          symbol
        ) : (
          <a href={paths.token(network.name, address)}>{symbol ?? shorten(address)}</a>
        ),
    },
    {
      name: 'Balance',
      isNumeric: true,
      render: ({ token, balance }) => <TokenAmount network={network} token={token.address} amount={balance} />,
    },
    { name: 'Value', isNumeric: true, render: ({ value }) => (value === undefined ? '–' : dollars.format(value)) },
    {
      name: 'Approved',
      isNumeric: true,
      render: (position) => <Approval network={network} position={position} isOwner={isOwner} />,
    },
  ]
  return (
    <section class="panel account-balances" aria-label="Balances" aria-busy={isReading || (held.length > 0 && !prices)}>
      <div class="balances-head">
        <h2>Balances</h2>
        <strong class="number">{positions.length > 0 ? dollars.format(total) : '–'}</strong>
      </div>
      {positions.length > 0 ? (
        <DataTable
          caption="Balances by value"
          columns={columns}
          rows={positions}
          keyOf={({ token }) => token.address}
        />
      ) : (
        <p class="muted">
          {balances && held.length === 0
            ? `None of the listed tokens on ${network.label}.`
            : balances || isReading
              ? 'Loading balances …'
              : 'Balances are unavailable.'}
        </p>
      )}
      {positions.length > 0 && (
        <p class="fine">
          Listed tokens on {network.label}. “Approved” is what the vault relayer may take for orders that you signed.
        </p>
      )}
    </section>
  )
}

type ApprovalProps = { network: Network; position: Position; isOwner: boolean }

/** The allowance of the vault relayer, which its owner may set to 0 by a transaction. */
const Approval = ({ network, position: { token, allowance }, isOwner }: ApprovalProps) => {
  const { connection } = useWallet()
  const { state, send } = useTransaction(connection)
  if (token.address === nativeSentinel || allowance === 0n) return '–'
  const isBusy = state.phase === 'confirming' || state.phase === 'mining'
  const revoke = () => send({ to: token.address, data: encodeApproval(network.vaultRelayer, 0n) })
  return (
    <div class="allowance">
      {isUnlimited(allowance) ? (
        'Unlimited'
      ) : (
        <TokenAmount network={network} token={token.address} amount={allowance} />
      )}
      {isOwner && (
        <button
          type="button"
          class="small"
          disabled={isBusy}
          aria-label={`Revoke the approval of ${token.symbol ?? token.address}`}
          onClick={revoke}
        >
          {isBusy ? 'Revoking …' : 'Revoke'}
        </button>
      )}
      <ErrorNotice text={state.phase === 'failed' && state.why} />
    </div>
  )
}
