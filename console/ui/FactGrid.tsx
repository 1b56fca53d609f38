import type { ComponentChildren } from 'preact'
import './factGrid.css'

export type Fact = { name: string; value: ComponentChildren }

/** Facts with their names, in as many columns as fit. */
export const FactGrid = ({ facts }: { facts: readonly (Fact | false)[] }) => (
  <dl class="fact-grid">
    {facts.map(
      (fact) =>
        fact && (
          <div key={fact.name}>
            <dt>{fact.name}</dt>
            <dd>{fact.value}</dd>
          </div>
        ),
    )}
  </dl>
)
