import { useTranslation } from 'react-i18next'
import type { Settings } from '~/domain/entities'
import { type AppInfoForm, appInfoForm } from '~/domain/forms/settings'
import { useAppDispatch } from '~/src/store/hooks'
import { EditPage } from '~/src/ui/office/EditPage'
import { Section, TextField } from '~/src/ui/office/fields'
import { SkeletonLines } from '~/src/ui/states'
import { useOffice } from '../useOffice'
import { changedOf, saveSettings } from './saveSettings'

const FIELDS = Object.keys(appInfoForm.entries) as (keyof AppInfoForm)[]

const Form = ({ settings }: { settings: Settings }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { say } = useOffice()
  const save = async (values: AppInfoForm) => {
    await dispatch(saveSettings(settings, changedOf(settings, values)))
    say('saved')
  }
  return (
    <EditPage<AppInfoForm>
      title={t('menu_app_info')}
      schema={appInfoForm}
      initial={Object.fromEntries(FIELDS.map((field) => [field, settings[field] ?? '']))}
      onSave={save}
    >
      {(field) => (
        <>
          <Section title={t('company')}>
            <TextField label={t('app_name')} {...field('appName')} />
            <TextField label={t('company_name')} {...field('CompanyName')} />
            <TextField label={t('company_website')} type="url" {...field('CompanyWebsite')} />
            <TextField label={t('company_terms')} type="url" {...field('CompanyTerms')} />
            <TextField label={t('contact_email')} type="email" {...field('contact_email')} />
          </Section>
          <Section title={t('social')}>
            <TextField label={t('facebook_handle')} {...field('FacebookHandle')} />
            <TextField label={t('twitter_handle')} {...field('TwitterHandle')} />
            <TextField label={t('instagram_handle')} {...field('InstagramHandle')} />
          </Section>
          <Section title={t('stores')}>
            <TextField label={t('apple_store')} type="url" {...field('AppleStoreLink')} />
            <TextField label={t('play_store')} type="url" {...field('PlayStoreLink')} />
          </Section>
        </>
      )}
    </EditPage>
  )
}

/** What the product is called, whose it is and where it is found. */
export const AppInfoPage = () => {
  const { settings } = useOffice()
  return settings ? <Form settings={settings} /> : <SkeletonLines lines={5} />
}
