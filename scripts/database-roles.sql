-- Prepares a database for Palimpsest, once, as a superuser: psql "$ADMIN_URL" --file scripts/database-roles.sql
--
-- palimpsest_owner, _app and _queue cannot log in. Two accounts take them: palimpsest_migrator applies migrations and
-- makes keys, palimpsest_service serves. Neither is a superuser, neither can pass by row-level security, and the one
-- that faces the network cannot change the schema. Their passwords come from the environment. Safe to run again.
\set ON_ERROR_STOP on
\getenv migrator_password PALIMPSEST_MIGRATOR_PASSWORD
\getenv service_password PALIMPSEST_SERVICE_PASSWORD

begin;
-- Only a superuser may make this extension; migrations find it made.
create extension if not exists vector;

select format('create role %I nosuperuser nobypassrls nocreaterole nocreatedb', name)
  from unnest(array['palimpsest_owner', 'palimpsest_app', 'palimpsest_queue',
                    'palimpsest_migrator', 'palimpsest_service']) as name
  where not exists (select from pg_roles where rolname = name) \gexec

alter role palimpsest_migrator login password :'migrator_password';
alter role palimpsest_service login password :'service_password';
grant palimpsest_owner, palimpsest_app, palimpsest_queue to palimpsest_migrator with admin option;
grant palimpsest_app, palimpsest_queue to palimpsest_service;

select format('alter database %I owner to palimpsest_migrator', current_database()) \gexec
select format('revoke all on database %I from public', current_database()) \gexec
select format('grant connect on database %I to palimpsest_service', current_database()) \gexec
revoke create on schema public from public;
commit;
