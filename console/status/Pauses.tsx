import { TimeText } from '../ui/TimeText.tsx'
import type { NetworkStatus } from './alarms/networkStatus.ts'

/** What the operator has paused. */
export const Pauses = ({ pauses }: { pauses: NetworkStatus['pauses'] }) => (
  <>
    {pauses.map(({ subject, reason, since }) => (
      <p key={subject} class="notice warning">
        Paused by the operator: {subject}, since <TimeText time={since} />. {reason}
      </p>
    ))}
  </>
)
