import { useState } from 'preact/hooks'
import { Dialog } from '../ui/elements/Dialog.tsx'
import { Segmented } from '../ui/elements/Segmented.tsx'
import { Tabs } from '../ui/elements/Tabs.tsx'

/** Buttons, fields, tabs and a dialog. */
export const ControlSamples = () => {
  const [tab, setTab] = useState<'one' | 'two'>('one')
  const [choice, setChoice] = useState<'swap' | 'limit'>('swap')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <section class="panel">
      <h2>Controls</h2>
      <p class="design-row">
        <button type="button" class="primary">
          Primary
        </button>
        <button type="button" class="primary" disabled>
          Disabled
        </button>
        <button type="button" onClick={() => setIsOpen(true)}>
          Open a dialog
        </button>
        <button type="button" class="small">
          Small
        </button>
        <a class="button outlined" href="/design">
          Button as a link
        </a>
        <input aria-label="Field" placeholder="A field" />
        <input aria-label="Invalid field" value="x" aria-invalid="true" />
        <select aria-label="Choice">
          <option>A choice</option>
        </select>
      </p>
      <p>
        <button type="button" class="primary wide">
          Swap 1.5 WETH
        </button>
      </p>
      <Segmented label="Type" choices={{ swap: 'Swap', limit: 'Limit' }} value={choice} onChoose={setChoice} />
      <Tabs
        label="Views"
        tabs={[
          { name: 'one', label: 'Open orders', count: 2 },
          { name: 'two', label: 'History' },
        ]}
        chosen={tab}
        onChoose={setTab}
      >
        <p>Content of the tab {tab}.</p>
      </Tabs>
      <Dialog title="A dialog" isOpen={isOpen} close={() => setIsOpen(false)}>
        <p>Escape or a click beside it closes it.</p>
      </Dialog>
    </section>
  )
}
