import type { Network, NetworkName } from './NetworksProvider.tsx'

type Props = { networks: readonly Network[]; toPath: (network: NetworkName) => string }

/** Links to the networks that have the target. */
export const NetworkChoice = ({ networks, toPath }: Props) => (
  <div class="panel">
    <h2>On which network?</h2>
    <ul>
      {networks.map(({ name, label }) => (
        <li key={name}>
          <a href={toPath(name)}>{label}</a>
        </li>
      ))}
    </ul>
  </div>
)
