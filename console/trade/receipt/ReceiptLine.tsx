import type { ComponentChildren } from 'preact'

/** A name and its value. */
export const ReceiptLine = ({
  name,
  children,
  class: className,
}: {
  name: string
  children: ComponentChildren
  class?: string
}) => (
  <div class={className}>
    <dt>{name}</dt>
    <dd class="number">{children}</dd>
  </div>
)
