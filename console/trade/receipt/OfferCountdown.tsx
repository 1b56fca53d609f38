import { CountdownRing } from '../../ui/elements/CountdownRing.tsx'
import { useNow } from '../../ui/useNow.ts'
import { freshMs } from '../quote/isFresh.ts'
import type { Offer } from '../quote/useQuote.ts'

/** Time until the offer expires; busy before the first one. */
export const OfferCountdown = ({ offer, isRequesting }: { offer: Offer | null; isRequesting: boolean }) => {
  const now = useNow()
  if (!offer) return <CountdownRing share={1} isBusy={isRequesting} />
  const restMs = Math.max(0, offer.receivedAt + freshMs - now)
  return (
    <span class="countdown" title={`Quote expires in ${Math.round(restMs / 1_000)} s`}>
      <CountdownRing share={restMs / freshMs} />
    </span>
  )
}
