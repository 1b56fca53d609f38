import type { ComponentChildren, TargetedKeyboardEvent } from 'preact'
import { useId, useLayoutEffect } from 'preact/hooks'
import './tabs.css'

export type Tab<Name extends string> = { name: Name; label: string; count?: number | undefined }

type Props<Name extends string> = {
  label: string
  tabs: readonly Tab<Name>[]
  chosen: Name
  onChoose: (name: Name) => void
  /** beside the tabs, at the end of their row */
  action?: ComponentChildren
  /** content of the chosen tab */
  children: ComponentChildren
}

/** Views of one panel (WAI-ARIA tabs): arrow keys, Home and End change the view. */
export const Tabs = <Name extends string>({ label, tabs, chosen, onChoose, action, children }: Props<Name>) => {
  const id = useId()
  // a link may name a view whose tab is beyond the edge of a phone
  useLayoutEffect(() => {
    const tab = document.getElementById(`${id}-${chosen}`)
    const list = tab?.parentElement
    if (tab && list) list.scrollLeft = tab.offsetLeft - list.offsetLeft - (list.clientWidth - tab.clientWidth) / 2
  }, [chosen, id])
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const at = tabs.findIndex(({ name }) => name === chosen)
    const targets: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }
    const target = targets[event.key]
    const next = target === undefined ? undefined : tabs[(target + tabs.length) % tabs.length]
    if (!next) return
    event.preventDefault()
    onChoose(next.name)
    document.getElementById(`${id}-${next.name}`)?.focus()
  }
  return (
    <>
      <div class="tab-row">
        <div class="tab-list" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
          {tabs.map(({ name, label: text, count }) => (
            <button
              key={name}
              id={`${id}-${name}`}
              type="button"
              role="tab"
              aria-selected={name === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={name === chosen ? 0 : -1}
              onClick={() => onChoose(name)}
            >
              {text}
              {count !== undefined && count > 0 && <span class="tab-count"> {count}</span>}
            </button>
          ))}
        </div>
        {action}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  )
}
