# Two stages: one that installs what requirements.lock names, by its hashes, and one that runs as an account without
# rights. The program writes to /data and /tmp only, so the root file system may be read-only.
FROM python:3.11-slim-bookworm AS build
WORKDIR /build
COPY scripts/runtime_lock.py pyproject.toml requirements.lock ./
RUN python runtime_lock.py > runtime.lock
RUN python -m venv --without-pip /opt/palimpsest/venv
RUN python -m pip --python /opt/palimpsest/venv/bin/python --disable-pip-version-check \
      install --quiet --no-deps --no-compile --require-hashes -r runtime.lock
COPY app /opt/palimpsest/app
COPY migrations /opt/palimpsest/migrations
# Compiled here, because nothing can be written there later.
RUN /opt/palimpsest/venv/bin/python -m compileall -q -j 0 /opt/palimpsest

FROM python:3.11-slim-bookworm
LABEL org.opencontainers.image.title="Palimpsest" \
      org.opencontainers.image.description="Memory as a service for AI agents" \
      org.opencontainers.image.licenses="Apache-2.0"
# PostgreSQL asks for the name of its account, so a bare number in USER would not do.
RUN groupadd --gid 10001 palimpsest \
 && useradd --uid 10001 --gid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin palimpsest \
 && install -d -o palimpsest -g palimpsest -m 0700 /data
COPY --from=build /opt/palimpsest /opt/palimpsest
ENV PATH=/opt/palimpsest/venv/bin:/usr/local/bin:/usr/bin:/bin \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PALIMPSEST_HOME=/data \
    PALIMPSEST_HOST=0.0.0.0 \
    PALIMPSEST_PORT=8080
WORKDIR /opt/palimpsest
USER 10001:10001
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"PALIMPSEST_PORT\"]}/healthz', timeout=4)"]
ENTRYPOINT ["python", "-m", "app"]
CMD ["serve"]
