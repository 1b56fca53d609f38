import type { Network } from '../../networks/NetworksProvider.tsx'
import { Identicon } from '../../ui/elements/Identicon.tsx'
import { nativeSentinel } from '../nativeSentinel.ts'
import type { Token } from '../token.ts'
import { useListedTokens } from '../useListedTokens.ts'
import { findLogo } from './findLogo.ts'
import './tokenLogo.css'

type Props = { network: Network; token: Pick<Token, 'address' | 'symbol'>; size?: number }

/**
 * A token's logo. A token outside the list has a generated picture with its letters, whatever its symbol, so that it
 * looks like no other one.
 */
export const TokenLogo = ({ network, token: { address, symbol = '' }, size = 32 }: Props) => {
  const listed = useListedTokens(network.name)
  const known = listed.find((token) => token.address === address)?.symbol
  const logo = findLogo(address === nativeSentinel ? network.nativeSymbol : (known ?? ''))
  const letters = logo ? undefined : symbol.slice(0, 3)
  const side = `${size / 16}rem`
  const fontSize = `${(size * (symbol.length > 2 ? 0.31 : 0.4)) / 16}rem`
  return (
    // letters from the style sheet are no text of a button around the picture
    <span class="token-logo" data-letters={letters} style={{ inlineSize: side, blockSize: side, fontSize }}>
      {logo ? (
        <svg aria-hidden="true" viewBox="0 0 32 32" width="100%" height="100%">
          <circle cx="16" cy="16" r="16" fill={logo.colour} />
          <g fill="#fff" fill-rule="evenodd">
            {logo.paths.map((path, place) => (
              <path key={path} d={path} opacity={place === 0 ? 1 : 0.75} />
            ))}
          </g>
        </svg>
      ) : (
        <Identicon of={address} size={size} />
      )}
    </span>
  )
}
