import { localize } from '../../ui/numbers.ts'
import { type LossGuard, maxLossShare } from '../signing/findLossGuard.ts'
import { PrimaryButton } from './PrimaryButton.tsx'

type Props = { guard: Exclude<LossGuard, 'none'> /** 0.45 is 45 % */; share: number; accept: () => void }

/** The step before an order that may lose more than 5 % of its value. */
export const LossStep = ({ guard, share, accept }: Props) =>
  guard === 'refuse' ? (
    <>
      <PrimaryButton label={`Loss above ${maxLossShare * 100} %`} disabled />
      <p class="fine">Change the order, or allow larger losses in the settings of this form.</p>
    </>
  ) : (
    <>
      <button type="button" class="danger wide" onClick={accept}>
        Accept a loss of up to {formatLoss(share)}
      </button>
      <p class="fine">You sign in the next step.</p>
    </>
  )

/** Rounded up, in percent. */
const formatLoss = (share: number): string => `${localize(String(Math.ceil(share * 1_000 - 1e-6) / 10))} %`
