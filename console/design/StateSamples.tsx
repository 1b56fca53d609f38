import { Bar } from '../ui/Bar.tsx'
import { Chip, type ChipTone } from '../ui/elements/Chip.tsx'
import { CountdownRing } from '../ui/elements/CountdownRing.tsx'
import { Skeleton } from '../ui/elements/Skeleton.tsx'
import { useToast } from '../ui/elements/ToastProvider.tsx'

const tones: Record<ChipTone, string> = {
  ok: 'Filled',
  live: 'Partially filled',
  waiting: 'Open',
  act: 'Needs approval',
  error: 'Failed',
  ended: 'Expired',
}

/** Chips, notices, toasts, countdowns and bars in all tones. */
export const StateSamples = () => {
  const show = useToast()
  return (
    <section class="panel">
      <h2>States</h2>
      <p class="design-row">
        {(Object.entries(tones) as [ChipTone, string][]).map(([tone, text]) => (
          <Chip key={tone} tone={tone}>
            {text}
          </Chip>
        ))}
      </p>
      {['ok', 'warning', 'error', 'ended', ''].map((tone) => (
        <p key={tone} class={`notice ${tone}`}>
          A notice: {tone || 'information'}
        </p>
      ))}
      <p class="design-row">
        <button
          type="button"
          onClick={() => show({ id: 'a', tone: 'ok', label: 'Filled', text: 'Sold 1 WETH for 2,989 USDC' })}
        >
          Show a toast
        </button>
        <Skeleton /> <Skeleton width="3rem" />
        <CountdownRing share={1} /> <CountdownRing share={0.6} /> <CountdownRing share={0.1} />
        <CountdownRing share={0} isBusy />
      </p>
      <Bar permille={0} />
      <br />
      <Bar permille={170} isLarge />
      <br />
      <Bar permille={1_000} tone="good" isLarge />
    </section>
  )
}
