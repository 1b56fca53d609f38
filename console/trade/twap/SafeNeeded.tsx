import { Icon } from '../../ui/elements/Icon.tsx'
import type { ChangeTerms } from '../draft/useTradeTerms.ts'

type Props = { account: 'key' | 'contract'; change: ChangeTerms }

const reasons: Record<Props['account'], string> = {
  key: 'The code of a Safe signs each part when it is due. Your account has a key instead, which would have to sign every part in its time. It can have such code, too, by a delegation to the contract ConditionalAccount.',
  contract:
    'The code of a Safe signs each part when it is due. Your account is another contract, or your wallet does not show its set-up to this page.',
}

/** Why an account cannot create a TWAP, and what it can do. */
export const SafeNeeded = ({ account, change }: Props) => (
  <div class="notice twap-needs">
    <h2>A TWAP needs a Safe</h2>
    <p>{reasons[account]}</p>
    <p>
      Open this page as an application of your Safe: one confirmation creates the TWAP. This account can place a limit
      order instead, which fills whenever the price is met.
    </p>
    <p class="actions">
      <a class="button" href={toSafeLink(window.location.origin)} target="_blank" rel="noreferrer">
        Open in Safe
        <Icon name="external" size={16} />
      </a>
      <button type="button" onClick={() => change({ type: 'limit' })}>
        Place a limit order
      </button>
    </p>
  </div>
)

/** Page of the application of Safes that adds this one. */
const toSafeLink = (origin: string): string =>
  `https://app.safe.global/share/safe-app?${new URLSearchParams({ appUrl: origin })}`
