import { type ComponentChildren, createContext } from 'preact'
import { useCallback, useContext, useEffect, useState } from 'preact/hooks'
import { Chip, type ChipTone } from './Chip.tsx'
import { Icon } from './Icon.tsx'
import './toast.css'

export type Toast = {
  /** a second toast with the same id replaces the first */
  id: string
  tone: ChipTone
  label: string
  text: ComponentChildren
  /** its page */
  href?: string
}

const ToastContext = createContext<(toast: Toast) => void>(() => undefined)

/** Shows a short message over any page. */
export const useToast = () => useContext(ToastContext)

/** Milliseconds. */
const shownMs = 9_000
const maxShown = 3

/** Messages over the page, the newest last; announced by screen readers. */
export const ToastProvider = ({ children }: { children: ComponentChildren }) => {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const show = useCallback(
    (toast: Toast) => setToasts((last) => [...last.filter(({ id }) => id !== toast.id), toast].slice(-maxShown)),
    [],
  )
  const hide = useCallback((id: string) => setToasts((last) => last.filter((toast) => toast.id !== id)), [])
  return (
    <ToastContext.Provider value={show}>
      {children}
      <div class="toasts" role="log" aria-label="Messages">
        {toasts.map((toast) => (
          <ToastItem key={toast.id} toast={toast} hide={hide} />
        ))}
      </div>
    </ToastContext.Provider>
  )
}

const ToastItem = ({ toast: { id, tone, label, text, href }, hide }: { toast: Toast; hide: (id: string) => void }) => {
  useEffect(() => {
    const timer = setTimeout(() => hide(id), shownMs)
    return () => clearTimeout(timer)
  }, [id, hide])
  return (
    <div class="toast">
      <Chip tone={tone}>{label}</Chip>
      {href ? <a href={href}>{text}</a> : <span>{text}</span>}
      <button type="button" class="icon-button" aria-label="Close message" onClick={() => hide(id)}>
        <Icon name="cross" size={16} />
      </button>
    </div>
  )
}
