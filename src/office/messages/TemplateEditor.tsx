import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { PUSH_PARAMS, type PushName, toPushText } from '~/domain/booking/pushMessages'
import type { DomainError } from '~/domain/api/errors'
import { getTextDirection } from '~/domain/language/locales'
import {
  AUDIENCES,
  findMessageRow,
  FOLLOW_TEXT,
  listMessages,
} from '~/domain/messages/messageTable'
import {
  composeSms,
  EXAMPLE_VALUES,
  fillVariables,
  findVariableFault,
} from '~/domain/messages/messageTexts'
import { measureSms } from '~/domain/messages/smsSegments'
import { languageById } from '~/src/features/languages/languageEdits'
import { liveLanguages } from '~/src/features/languages/languages'
import { useShippedTexts } from '~/src/features/languages/useShippedTexts'
import { saveTemplate } from '~/src/features/messages/messages'
import { translateError } from '~/src/i18n/errorTexts'
import { getShippedTexts } from '~/src/i18n/locale'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { Button, SelectInput, TextArea, TextInput } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import pages from '~/src/office/recordPages/pages.module.css'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { confirmLeave, useUnsavedChangesPrompt } from '~/src/ui/navigation/unsavedChanges'
import { useOfficeSession } from '../useOfficeSession'
import css from './messages.module.css'
import { getMessageTitle } from './messageTitle'
import { describeVariableFault } from './variableFault'
import { useSingleRun } from '~/src/ui/useSingleRun'
import type { Language, Settings } from '~/domain/catalog/types'

interface Texts {
  title: string
  msg: string
}

/** Shows a message with example values as each of its channels would send it. */
const Previews = ({
  event,
  texts,
  follow,
  settings,
  locale,
}: {
  event: PushName
  texts: Texts
  follow: string
  settings: Settings
  locale: string
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const rows = AUDIENCES.flatMap((audience) => findMessageRow(event, audience) ?? [])
  const values = {
    ...EXAMPLE_VALUES,
    amount: format.money(Number(EXAMPLE_VALUES.amount)),
    fee: format.money(Number(EXAMPLE_VALUES.fee)),
    link: `${window.location.origin}/track/k7m4qx2p9t`,
  }
  const fill = (text: string) => fillVariables(text, values)
  const heading = fill(texts.title)
  const body = fill(texts.msg)
  const end = rows.some(({ hasLink }) => hasLink) ? fill(follow) : undefined
  const sms = composeSms(settings.appName, { heading, body, follow: end })
  const { encoding, units, segments } = measureSms(sms)
  const dir = getTextDirection(locale)
  return (
    <section className={css.previews} aria-label={t('message_preview')}>
      <h2>{t('message_preview')}</h2>
      {rows.some(({ screen }) => screen) && (
        <article className={css.preview}>
          <h3>{t('channel_push')}</h3>
          <p dir={dir} lang={locale}>
            <strong>{heading}</strong>
          </p>
          <p dir={dir} lang={locale}>
            {body}
          </p>
        </article>
      )}
      {rows.some((row) => row.sms) && (
        <article className={css.preview}>
          <h3>{t('channel_sms')}</h3>
          <p dir={dir} lang={locale}>
            {sms}
          </p>
          <p className={css.muted} role="status">
            {t('sms_size', {
              encoding,
              units: format.number(units),
              segments: format.number(segments),
            })}
          </p>
        </article>
      )}
      {rows.some((row) => row.email) && (
        <article className={css.preview}>
          <h3>{t('channel_email')}</h3>
          <p dir={dir} lang={locale}>
            <strong>{`${settings.appName}: ${heading}`}</strong>
          </p>
          <p dir={dir} lang={locale}>
            {body}
          </p>
          <p dir={dir} lang={locale}>
            {settings.CompanyName || settings.appName}
          </p>
        </article>
      )}
    </section>
  )
}

interface TemplateProps {
  event: PushName
  language: Language
  /** The texts that ship with the product in this language. */
  shipped: Readonly<Record<string, string>>
  settings: Settings
}

/** Holds the texts that are edited, and saves them. */
const useTemplate = ({ event, language, shipped }: Omit<TemplateProps, 'settings'>) => {
  const { t, i18n } = useTranslation()
  const dispatch = useAppDispatch()
  const { canOrNotify, notify } = useOfficeSession()
  const english = getShippedTexts(i18n, 'en')
  const getText = (key: string) => language.keyValuePairs[key] ?? shipped[key] ?? english[key] ?? ''
  const keys = toPushText(event)
  const stored: Texts = { title: getText(keys.title), msg: getText(keys.msg) }
  const [edited, setEdited] = useState<Partial<Texts>>({})
  const { busy, run } = useSingleRun()
  const [failure, setFailure] = useState<DomainError | null>(null)
  const texts = { ...stored, ...edited }
  const isChanged = texts.title !== stored.title || texts.msg !== stored.msg
  const question = useUnsavedChangesPrompt(isChanged)
  const faults = {
    title: describeVariableFault(findVariableFault(keys.title, texts.title), t),
    msg: describeVariableFault(findVariableFault(keys.msg, texts.msg), t),
  }
  const save = async (submitted: FormEvent) => {
    submitted.preventDefault()
    if (faults.title || faults.msg || !canOrNotify('language_save')) return
    setFailure(null)
    await run(async () => {
      const own = {
        title: texts.title === shipped[keys.title] ? '' : texts.title,
        msg: texts.msg === shipped[keys.msg] ? '' : texts.msg,
      }
      await dispatch(saveTemplate.quiet({ language: language.id, event, ...own })).unwrap()
      setEdited({})
      notify('saved')
    }).catch((error: unknown) => setFailure(error as DomainError))
  }
  const change = (changes: Partial<Texts>) => setEdited({ ...edited, ...changes })
  return { texts, change, faults, failure, busy, save, question, follow: getText(FOLLOW_TEXT) }
}

const TemplateForm = (props: TemplateProps) => {
  const { t } = useTranslation()
  const { event, language, settings } = props
  const { texts, change, faults, failure, busy, save, question, follow } = useTemplate(props)
  const variables = PUSH_PARAMS[event].map((name) => `{{${name}}}`)
  const dir = getTextDirection(language.langLocale)
  return (
    <div className={css.editor}>
      <form noValidate onSubmit={(submitted) => void save(submitted)}>
        <TextInput
          label={t('title')}
          dir={dir}
          lang={language.langLocale}
          maxLength={200}
          value={texts.title}
          error={faults.title}
          onChange={({ target }) => change({ title: target.value })}
        />
        <TextArea
          label={t('body')}
          dir={dir}
          lang={language.langLocale}
          rows={4}
          maxLength={1000}
          hint={
            variables.length > 0
              ? t('message_variables', { names: variables.join(' ') })
              : t('message_without_variables')
          }
          value={texts.msg}
          error={faults.msg}
          onChange={({ target }) => change({ msg: target.value })}
        />
        {failure && (
          <p className={pages.refused} role="alert">
            {translateError(failure, t)}
          </p>
        )}
        <div className={pages.foot}>
          <Button variant="primary" type="submit" busy={busy}>
            {t('save')}
          </Button>
        </div>
      </form>
      <Previews
        event={event}
        texts={texts}
        follow={follow}
        settings={settings}
        locale={language.langLocale}
      />
      {question}
    </div>
  )
}

/** Edits the texts of one message in one language, with a preview of each channel. */
export const TemplateEditor = () => {
  const { t, i18n } = useTranslation()
  const { settings } = useOfficeSession()
  const [params, setParams] = useSearchParams()
  const { langlist, error, retry } = useLive(liveLanguages)
  const messages = listMessages({ appcat: settings?.appcat ?? 'taxi' })
  const event = messages.find((one) => one === params.get('event')) ?? 'accepted'
  const summary =
    langlist.find(({ id }) => id === params.get('language')) ??
    langlist.find(({ langLocale }) => langLocale === i18n.language) ??
    langlist[0]
  const { opened } = useLive(languageById, summary?.id ?? '')
  const language = opened.find(({ id }) => id === summary?.id)
  const shipped = useShippedTexts(summary?.langLocale ?? 'en')
  const choose = (name: string, value: string) =>
    confirmLeave(() =>
      setParams(
        (currentParams) => {
          currentParams.set(name, value)
          return currentParams
        },
        { replace: true },
      ),
    )
  if (error.flag) return <ErrorState onRetry={retry}>{t(error.msg ?? '')}</ErrorState>
  return (
    <div className={pages.page}>
      <div className={css.editor}>
        <SelectInput
          label={t('message_event')}
          value={event}
          onChange={({ target }) => choose('event', target.value)}
        >
          {messages.map((one) => (
            <option key={one} value={one}>
              {getMessageTitle(one, t)}
            </option>
          ))}
        </SelectInput>
        <SelectInput
          label={t('language')}
          value={summary?.id ?? ''}
          onChange={({ target }) => choose('language', target.value)}
        >
          {langlist.map(({ id, langName }) => (
            <option key={id} value={id}>
              {langName}
            </option>
          ))}
        </SelectInput>
      </div>
      {language && shipped && settings ? (
        <TemplateForm
          key={`${event} ${language.id}`}
          event={event}
          language={language}
          shipped={shipped}
          settings={settings}
        />
      ) : (
        <SkeletonLines lines={6} />
      )}
    </div>
  )
}
