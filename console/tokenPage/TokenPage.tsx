import { useLocation } from 'preact-iso'
import { useTitle } from '../browser/useTitle.ts'
import { withQuery } from '../browser/withQuery.ts'
import { type Network, useNetwork } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { formatUsdPrice } from '../tokens/formatUsdPrice.ts'
import { isListed } from '../tokens/isListed.ts'
import { TokenLogo } from '../tokens/logos/TokenLogo.tsx'
import type { Token } from '../tokens/tokenBook.ts'
import { useTokenList } from '../tokens/useTokenList.ts'
import { useTokenLookup } from '../tokens/useTokenLookup.ts'
import { useUsdPrices } from '../tokens/useUsdPrices.ts'
import { Chip } from '../ui/elements/Chip.tsx'
import { Icon } from '../ui/elements/Icon.tsx'
import { Skeleton } from '../ui/elements/Skeleton.tsx'
import { Tabs } from '../ui/elements/Tabs.tsx'
import { Tile } from '../ui/elements/Tile.tsx'
import { HexText } from '../ui/HexText.tsx'
import { shorten } from '../ui/shorten.ts'
import { chooseQuoteToken } from './chooseQuoteToken.ts'
import { MarketTable } from './MarketTable.tsx'
import { MissingToken } from './MissingToken.tsx'
import { TokenChart } from './TokenChart.tsx'
import { TokenHolders } from './TokenHolders.tsx'
import { TokenOrders } from './TokenOrders.tsx'
import { TokenTrades } from './TokenTrades.tsx'
import './tokenPage.css'

const views = [
  { name: 'trades', label: 'Trades' },
  { name: 'orders', label: 'Orders' },
  { name: 'holders', label: 'Holders' },
] as const

type View = (typeof views)[number]['name']

/** `/tokens/{token}`: facts, price, markets, trades, orders and holders of a token. The address has the whole state. */
export const TokenPage = ({ token: given }: { token: string }) => {
  const address = given.toLowerCase()
  const network = useNetwork()
  return <TokenView key={`${network.name} ${address}`} network={network} address={address} />
}

const TokenView = ({ network, address }: { network: Network; address: string }) => {
  const isAddress = /^0x[0-9a-f]{40}$/.test(address)
  const { data: list = [], failure: listFailure } = useTokenList(network.name)
  const lookup = useTokenLookup(network, isAddress ? address : '', list)
  const token: Token | undefined = lookup.state === 'known' ? lookup.token : undefined
  useTitle(`Token ${token?.symbol ?? shorten(address)}`)
  if (!isAddress || lookup.state === 'unknown')
    return <MissingToken network={network} address={address} isAddress={isAddress} listed={list} />
  return (
    <div class="page token-page">
      <div class="page-head">
        <TokenLogo network={network} token={token ?? { address }} size={44} />
        <h1>
          {token?.name ?? 'Token'} {token?.symbol && <span class="muted">{token.symbol}</span>}
        </h1>
        {list.length === 0 ? (
          !listFailure && <Skeleton width="4rem" />
        ) : isListed(list, address) ? (
          <Chip tone="ok">Listed</Chip>
        ) : (
          <Chip tone="act">Unlisted</Chip>
        )}
        <p class="actions">
          {network.explorerUrl !== null && (
            <a class="button" href={`${network.explorerUrl}/token/${address}`}>
              Block explorer
              <Icon name="external" size={16} />
            </a>
          )}
          <a class="button primary" href={`${paths.trade(network.name)}&sell=${address}`}>
            Trade
          </a>
        </p>
      </div>
      {list.length > 0 && !isListed(list, address) && (
        <p class="notice warning">
          This token is not on the list of this service. Anyone can give a token any name and symbol: compare its
          address with a source that you trust.
        </p>
      )}
      <Facts
        network={network}
        address={address}
        token={token}
        listed={list}
        isListKnown={list.length > 0 || listFailure !== null}
      />
      <Lists network={network} token={token ?? { address }} />
    </div>
  )
}

type FactsProps = {
  network: Network
  address: string
  token: Token | undefined
  listed: readonly Token[]
  isListKnown: boolean
}

/** Price, decimals and address of the token, its chart and its markets. */
const Facts = ({ network, address, token, listed, isListKnown }: FactsProps) => {
  const prices = useUsdPrices(network, isListKnown ? [...new Set([address, ...listed.map((one) => one.address)])] : [])
  const price = prices?.get(address)
  const quote = prices && chooseQuoteToken(listed, prices, address, network.wrappedNative)
  return (
    <>
      <section class="tiles" aria-label="Facts">
        <Tile title="Price" value={prices ? formatUsdPrice(price) : <Skeleton width="5rem" />}>
          {prices && price === undefined ? 'No known price' : 'US dollars'}
        </Tile>
        <Tile title="Symbol" value={token ? (token.symbol ?? '–') : <Skeleton width="4rem" />}>
          {token?.name ?? 'No name'}
        </Tile>
        <Tile title="Decimals" value={token ? (token.decimals ?? '–') : <Skeleton width="2rem" />}>
          {token?.decimals === undefined
            ? 'Unknown'
            : `1 ${token.symbol ?? 'token'} = 10${toPower(token.decimals)} atoms`}
        </Tile>
        <Tile title="Address" value={<HexText value={address} label="token address" />}>
          on {network.label}
        </Tile>
      </section>
      <div class="token-columns">
        <TokenChart network={network} token={token ?? { address }} quote={quote} isLoading={prices === undefined} />
        <MarketTable network={network} token={token ?? { address }} listed={listed} prices={prices} />
      </div>
    </>
  )
}

const digits = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const toPower = (value: number): string => [...String(value)].map((digit) => digits[Number(digit)]).join('')

const Lists = ({ network, token }: { network: Network; token: Token }) => {
  const location = useLocation()
  const view: View = views.find(({ name }) => name === location.query.view)?.name ?? 'trades'
  const choose = (name: View) =>
    location.route(withQuery(location, { view: name === 'trades' ? null : name, cursor: null }))
  return (
    <section class="panel token-lists" aria-label="Lists">
      <Tabs label="Lists" tabs={views} chosen={view} onChoose={choose}>
        {view === 'trades' && <TokenTrades key={location.url} network={network} token={token.address} />}
        {view === 'orders' && <TokenOrders key={location.url} network={network} token={token.address} />}
        {view === 'holders' && <TokenHolders network={network} token={token} />}
      </Tabs>
    </section>
  )
}
