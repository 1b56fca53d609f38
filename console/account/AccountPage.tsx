import { useLocation } from 'preact-iso'
import { useTitle } from '../browser/useTitle.ts'
import { withQuery } from '../browser/withQuery.ts'
import { useNetwork } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { ConditionalOrders } from '../order/strategies/ConditionalOrders.tsx'
import { useListedTokens } from '../tokens/useListedTokens.ts'
import { Icon } from '../ui/elements/Icon.tsx'
import { Identicon } from '../ui/elements/Identicon.tsx'
import { Tabs } from '../ui/elements/Tabs.tsx'
import { HexText } from '../ui/HexText.tsx'
import { shorten } from '../ui/shorten.ts'
import { AccountName } from '../wallet/AccountName.tsx'
import { AccountBalances } from './AccountBalances.tsx'
import { AccountOrders } from './AccountOrders.tsx'
import { AccountTotals } from './AccountTotals.tsx'
import { AccountTrades } from './AccountTrades.tsx'
import { NotificationList } from './NotificationList.tsx'
import './account.css'

const views = [
  { name: 'orders', label: 'Orders' },
  { name: 'trades', label: 'Trades' },
] as const

type View = (typeof views)[number]['name']

/** `/accounts/{account}`: totals, balances, orders, trades and notifications of an account. The address has the whole state. */
export const AccountPage = ({ account: given }: { account: string }) => {
  const account = given.toLowerCase()
  const network = useNetwork()
  const location = useLocation()
  const view: View = location.query.view === 'trades' ? 'trades' : 'orders'
  const token = useListedTokens(network.name).find(({ address }) => address === account)
  useTitle(`Account ${shorten(account)}`)
  const choose = (name: View) =>
    location.route(withQuery(location, { view: name === 'orders' ? null : name, state: null, cursor: null }))
  const key = `${network.name} ${account}`
  return (
    <div class="page account">
      <div class="page-head">
        <Identicon of={account} size={44} />
        <h1>
          Account <HexText value={account} label="account" /> <AccountName network={network} address={account} />
        </h1>
        <p class="actions">
          <a class="button" href={paths.notifications(network.name)}>
            Notification settings
          </a>
          {network.explorerUrl !== null && (
            <a class="button" href={`${network.explorerUrl}/address/${account}`}>
              Block explorer
              <Icon name="external" size={16} />
            </a>
          )}
        </p>
      </div>
      {token && (
        <p class="notice">
          This is the contract of a token.{' '}
          <a href={paths.token(network.name, account)}>Open {token.symbol ?? 'the token'}</a>
        </p>
      )}
      <AccountTotals key={`totals ${key}`} network={network} account={account} />
      <AccountBalances key={`balances ${key}`} network={network} account={account} />
      <section class="panel account-lists" aria-label="Lists">
        <Tabs label={`Lists on ${network.label}`} tabs={views} chosen={view} onChoose={choose}>
          {view === 'orders' ? (
            <AccountOrders key={key} network={network} account={account} />
          ) : (
            <AccountTrades key={key} network={network} account={account} />
          )}
        </Tabs>
      </section>
      <ConditionalOrders network={network} account={account} />
      <NotificationList network={network} account={account} />
    </div>
  )
}
