import { MarketChart } from '../market/MarketChart.tsx'
import { OpenBook } from '../market/MarketParts.tsx'
import type { Network } from '../networks/NetworksProvider.tsx'
import type { Token } from '../tokens/token.ts'
import { useUsdPrices } from '../tokens/useUsdPrices.ts'
import { Skeleton } from '../ui/elements/Skeleton.tsx'
import { Tile } from '../ui/elements/Tile.tsx'
import { formatUsdPrice } from '../ui/formatUsd.ts'
import { HexText } from '../ui/HexText.tsx'
import { chooseQuoteToken } from './chooseQuoteToken.ts'
import { MarketTable } from './MarketTable.tsx'

type Props = {
  network: Network
  address: string
  token: Token | undefined
  listed: readonly Token[]
  isListKnown: boolean
}

/** Price, decimals and address of the token, its chart, its markets and its open book. */
export const TokenFacts = ({ network, address, token, listed, isListKnown }: Props) => {
  const prices = useUsdPrices(network, isListKnown ? [...new Set([address, ...listed.map((one) => one.address)])] : [])
  const price = prices?.get(address)
  const quote = prices && chooseQuoteToken(listed, prices, address, network.wrappedNative)
  const quotePrice = quote && prices?.get(quote.address)
  const market = token && quote && { base: token, quote }
  const ratio = price === undefined || quotePrice === undefined ? undefined : price / quotePrice
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
        <MarketChart
          network={network}
          market={market}
          price={ratio}
          isLoading={prices === undefined || token === undefined}
        />
        <div>
          <MarketTable network={network} token={token ?? { address }} listed={listed} prices={prices} />
          <section class="panel token-book" aria-label="Open book">
            <h2>Open book</h2>
            <OpenBook network={network} market={market} price={ratio} />
          </section>
        </div>
      </div>
    </>
  )
}

const digits = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const toPower = (value: number): string => [...String(value)].map((digit) => digits[Number(digit)]).join('')
