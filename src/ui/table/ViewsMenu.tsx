import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { Button, IconButton, TextInput } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { readPreference, savePreference } from '~/src/ui/preferences'
import css from './DataTable.module.css'
import { ToolMenu } from './ToolMenu'

interface View {
  name: string
  /** The query string of the URL. */
  query: string
  hidden: string[]
}
/** Parameters of the current position and overlays, which a saved view leaves out. */
const TRANSIENT_PARAMS = ['open', 'edit', 'do', 'bulk', 'new', 'before', 'page']
const getStorageKey = (id: string) => `kerbside.views.${id}`
const isView = (one: unknown): one is View =>
  typeof one === 'object' &&
  one !== null &&
  'name' in one &&
  'query' in one &&
  'hidden' in one &&
  Array.isArray(one.hidden)

const loadViews = (id: string): View[] => {
  try {
    const storedViews: unknown = JSON.parse(readPreference(getStorageKey(id)) ?? '[]')
    return Array.isArray(storedViews) ? storedViews.filter(isView) : []
  } catch {
    return []
  }
}

/** Returns the present filters, search, order and columns as a view. */
const toView = (name: string, params: URLSearchParams, hidden: ReadonlySet<string>): View => {
  const viewParams = new URLSearchParams(params)
  for (const passing of TRANSIENT_PARAMS) viewParams.delete(passing)
  return { name, query: String(viewParams), hidden: [...hidden] }
}

/** Saves filters, search, order and columns under a name in this browser. */
export const ViewsMenu = ({
  id,
  hidden,
  onHidden,
}: {
  id: string
  hidden: ReadonlySet<string>
  onHidden: (hidden: string[]) => void
}) => {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const [views, setViews] = useState(() => loadViews(id))
  const [name, setName] = useState('')
  const saveViews = (next: View[]) => {
    savePreference(getStorageKey(id), JSON.stringify(next))
    setViews(next)
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    const called = name.trim()
    if (!called) return
    saveViews([...views.filter((one) => one.name !== called), toView(called, params, hidden)])
    setName('')
  }
  return (
    <ToolMenu icon="list" label={t('views')}>
      {views.map((view) => (
        <div key={view.name} className={css.view}>
          <Button
            size="small"
            variant="quiet"
            onClick={() => {
              setParams(new URLSearchParams(view.query))
              onHidden(view.hidden)
            }}
          >
            {view.name}
          </Button>
          <IconButton
            label={t('view_remove', { name: view.name })}
            onClick={() => saveViews(views.filter((one) => one !== view))}
          >
            <Icon name="trash" size={18} />
          </IconButton>
        </div>
      ))}
      <form className={css.view} onSubmit={save}>
        <TextInput
          label={t('view_name')}
          maxLength={40}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Button size="small" type="submit">
          {t('save')}
        </Button>
      </form>
    </ToolMenu>
  )
}
