import type { Network } from '../../networks/NetworksProvider.tsx'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import { formatShare } from '../../ui/formatShare.ts'
import { keepPercents } from '../../ui/keepPercents.ts'
import type { Gain } from './computeQuoteGain.ts'

/** Smallest gain or loss with a colour: 0.01 %. */
const noticeable = 10_000n

type Props = { network: Network; token: string; gain: Gain /** without its share */; isBrief?: boolean }

/** `+12.3 USDC (0.49 %)`; sign and colour both show the direction. */
export const GainText = ({ network, token, gain: { atoms, of }, isBrief = false }: Props) => {
  const share = isBrief ? undefined : formatShare(atoms, of)
  return (
    <span class={toClass(atoms, of)}>
      {atoms > 0n && '+'}
      <TokenAmount network={network} token={token} amount={atoms} />
      {share && ` (${keepPercents(share)})`}
    </span>
  )
}

const toClass = (atoms: bigint, of: bigint): string => {
  if (atoms * noticeable >= of) return 'gain good'
  return -atoms * noticeable >= of ? 'gain bad' : 'gain'
}
