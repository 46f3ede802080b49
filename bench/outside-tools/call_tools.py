import asyncio
import os

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from kcs import HEADERS, URL

PROJECT_ID = os.environ["KCS_PROJECT"]
TEXT = " ".join(f"The keeper lit lamp number {number} at dusk and wrote it in the log." for number in range(600))


async def use(mode):
    async with httpx2.AsyncClient(headers=HEADERS, timeout=60) as http:
        async with Client(streamable_http_client(URL + "/mcp", http_client=http), mode=mode) as client:
            tools = (await client.list_tools()).tools
            found = await client.call_tool(
                "query", {"project_id": PROJECT_ID, "query": "Who founded Nordvik Robotics?"}
            )
            assert not found.is_error and "Maria Gonzalez" in found.structured_content["results"]["summary"]
            document = {"project_id": PROJECT_ID, "source_doc_id": "tools-" + mode, "text": TEXT}
            accepted = await client.call_tool("ingest_text", document)
            job = {"project_id": PROJECT_ID, "job_id": accepted.structured_content["job_id"]}
            reported = []

            async def report(progress, _total, _message):
                reported.append(progress)

            while True:
                result = await client.call_tool("wait_for_job", job, progress_callback=report)
                assert all(one < other for one, other in zip(reported, reported[1:])), reported
                if result.structured_content["status"] == "completed":
                    break
                reported.clear()
            refused = await client.call_tool("get_job", {"project_id": PROJECT_ID, "job_id": "job_none"})
            assert refused.is_error
            return f"{mode}: {len(tools)} tools, a question, progress that increases, an error of a tool"


async def main():
    print("; ".join([await use(mode) for mode in ("legacy", "auto")]))


asyncio.run(main())
