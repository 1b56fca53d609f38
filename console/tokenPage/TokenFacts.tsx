import { MarketChart } from '../market/MarketChart.tsx'
import type { Network } from '../networks/NetworksProvider.tsx'
import { formatUsdPrice } from '../tokens/formatUsdPrice.ts'
import type { Token } from '../tokens/token.ts'
import { useUsdPrices } from '../tokens/useUsdPrices.ts'
import { Skeleton } from '../ui/elements/Skeleton.tsx'
import { Tile } from '../ui/elements/Tile.tsx'
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

/** Price, decimals and address of the token, its chart and its markets. */
export const TokenFacts = ({ network, address, token, listed, isListKnown }: Props) => {
  const prices = useUsdPrices(network, isListKnown ? [...new Set([address, ...listed.map((one) => one.address)])] : [])
  const price = prices?.get(address)
  const quote = prices && chooseQuoteToken(listed, prices, address, network.wrappedNative)
  const quotePrice = quote && prices?.get(quote.address)
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
          market={token && quote && { base: token, quote }}
          price={price === undefined || quotePrice === undefined ? undefined : price / quotePrice}
          isLoading={prices === undefined || token === undefined}
        />
        <MarketTable network={network} token={token ?? { address }} listed={listed} prices={prices} />
      </div>
    </>
  )
}

const digits = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const toPower = (value: number): string => [...String(value)].map((digit) => digits[Number(digit)]).join('')
