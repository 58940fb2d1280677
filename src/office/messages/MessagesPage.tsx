import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { Tabs } from '~/src/ui/navigation/Tabs'
import { confirmLeave } from '~/src/ui/navigation/unsavedChanges'
import { MessageSettingsEditor } from './MessageSettingsEditor'
import css from './messages.module.css'
import { TemplateEditor } from './TemplateEditor'

/** Edits the messages that leave the platform: their settings, and their texts by language. */
export const MessagesPage = () => {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const part = params.get('part') === 'texts' ? 'texts' : 'settings'
  return (
    <div className={css.page}>
      <h1>{t('menu_messages')}</h1>
      <Tabs
        label={t('menu_messages')}
        value={part}
        onChange={(next) =>
          confirmLeave(() => setParams(next === 'texts' ? { part: next } : {}, { replace: true }))
        }
        tabs={[
          { value: 'settings', label: t('message_settings') },
          { value: 'texts', label: t('message_texts') },
        ]}
      />
      {part === 'texts' ? <TemplateEditor /> : <MessageSettingsEditor />}
    </div>
  )
}
